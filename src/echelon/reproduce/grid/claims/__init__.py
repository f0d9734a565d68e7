"""The claims of the grid study, each judged by computation, and all that they are judged by."""
