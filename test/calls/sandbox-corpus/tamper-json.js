// expect: sandbox_error sandbox_timeout ok {"fine":true}
JSON.stringify = () => {
  for (;;);
};
JSON.parse = () => process.exit();
export default () => ({ fine: true });
