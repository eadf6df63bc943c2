/** Answers with a message once the work is done. */
export async function answered<const Text extends string>(message: Text, work: Promise<unknown>) {
  await work;
  return { message };
}
