import { redirect } from "next/navigation";

// The overview, or the first page of the person's role, is at `/`.
export default function AdminPage(): never {
  redirect("/");
}
