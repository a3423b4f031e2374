// expect: sandbox_error
const again = () => again() + 1;
export default again;
