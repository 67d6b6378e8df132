"""The readers of whatever comes from outside, fed with what nobody would send."""
