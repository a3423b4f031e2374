// expect: sandbox_timeout
export default () => {
  for (;;);
};
