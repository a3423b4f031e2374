// expect: sandbox_timeout sandbox_memory
export default () => {
  for (let code = "1"; ; code += "+1") (0, eval)(code);
};
