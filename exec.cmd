@rem `npm start` is `exec node ...`: so a signal to npm reaches Node, and no shell is left in between. Windows has no exec,
@rem but looks for commands in this folder, too; this one runs the rest of its line.
@%*
