/** Loaded by functions: while a file `clock` with seconds is in the emulator's folder, their time is so much later. */
const { readFileSync } = require('node:fs');

const file = `${process.env.STATE_DIR}/clock`;
const RealDate = Date;

function now() {
  try {
    return RealDate.now() + Number(readFileSync(file, 'utf8')) * 1000;
  } catch {
    return RealDate.now();
  }
}

globalThis.Date = class Date extends RealDate {
  constructor(...parts) {
    super(...(parts.length === 0 ? [now()] : parts));
  }

  static now() {
    return now();
  }
};
