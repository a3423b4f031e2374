// expect: sandbox_timeout sandbox_memory
const step = () => Promise.resolve().then(step);
export default step;
