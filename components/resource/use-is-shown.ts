import { useEffect, useRef } from "react";

/** Whether the component is still on the page when an answer arrives. */
export function useIsShown() {
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return isShown;
}
