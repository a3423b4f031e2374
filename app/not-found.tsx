import { NothingHere } from "@/components/shell/nothing-here";

export default function NotFound() {
  return (
    <main className="flex min-h-dvh items-center justify-center">
      <NothingHere />
    </main>
  );
}
