// expect: sandbox_timeout sandbox_error
export default () => {
  let a = 2n ** 100000n;
  for (;;) a = (a * a) % (2n ** 200001n - 1n);
};
