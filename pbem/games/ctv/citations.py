"""The rules of Santander 1937 that the code keeps."""

from pbem.engine.rules import Citations

CITE = Citations("ctv")
