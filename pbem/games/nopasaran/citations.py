"""The rules of ¡No Pasarán! that the code keeps."""

from pbem.engine.rules import Citations

CITE = Citations("nopasaran")
