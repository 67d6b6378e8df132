"""`python -m pbem` is `pbem`, for where the script is not on the path."""

from pbem.cli import main

if __name__ == "__main__":
    main()
