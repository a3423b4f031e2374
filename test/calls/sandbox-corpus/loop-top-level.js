// expect: sandbox_timeout
while (true);
export default () => 1;
