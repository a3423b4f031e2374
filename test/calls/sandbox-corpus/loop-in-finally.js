// expect: sandbox_timeout
export default () => {
  try {
    throw 1;
  } finally {
    for (;;);
  }
};
