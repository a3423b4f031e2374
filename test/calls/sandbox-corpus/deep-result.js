// expect: sandbox_timeout sandbox_error sandbox_memory
export default () => {
  let deep = [];
  for (let n = 0; n < 1e6; n++) deep = [deep];
  return deep;
};
