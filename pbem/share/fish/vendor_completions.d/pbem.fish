# The first time that a word of pbem is completed, pbem says how.
_PBEM_COMPLETE=fish_source pbem | source
