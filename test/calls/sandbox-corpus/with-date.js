// expect: sandbox_timeout
export default () => {
  for (const start = Date.now(); Date.now() - start < 10000;);
  return 1;
};
