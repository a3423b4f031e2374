// expect: sandbox_timeout
export default () => {
  const list = [];
  list[4294967294] = 1;
  return list.reverse().length;
};
