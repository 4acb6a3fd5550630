/** Tells the parent what one boot took, after a look whether it was one. */
export function report({ load, boot, root }) {
  if (root.isStarted !== true) throw new Error('The hooks did not run.');
  console.log(JSON.stringify({ load, boot }));
}
