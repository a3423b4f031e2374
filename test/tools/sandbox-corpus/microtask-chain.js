// expect: sandbox_timeout
const step = () => Promise.resolve().then(step);
export default step;
