import { notFound } from "next/navigation";
import { maySee } from "@/app/admin/may-see";
import { screenFacts, type ScreenName } from "@/components/screen-table";
import { RegisteredScreen } from "@/components/screens";
import { NoPermission } from "@/components/shell/no-permission";

interface Props {
  name: ScreenName;
  id?: string;
  /** The page's own address, to which the sign-in page returns. */
  here: string;
}

/** Shows a registered screen to a person with its permission. */
export async function SectionScreen({ name, id = "", here }: Props) {
  const { read, write, exists } = screenFacts(name);
  if (!(await maySee(read, here))) return <NoPermission permission={read} />;
  if (exists?.(id) === false) notFound();
  const canWrite = write !== undefined && (await maySee(write, here));
  return <RegisteredScreen name={name} id={id} canWrite={canWrite} />;
}
