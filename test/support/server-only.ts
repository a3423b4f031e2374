// Nothing: importing it is the whole point.
