"""Where the game file, the orders, the rules and the renderers meet."""
