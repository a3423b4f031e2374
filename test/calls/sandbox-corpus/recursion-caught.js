// expect: sandbox_timeout
const again = () => {
  try {
    again();
  } finally {
    again();
  }
};
export default again;
