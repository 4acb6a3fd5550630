/** The outcome of the work, or a rejection that says `otherwise` when it takes longer. */
export async function within(milliseconds, work, otherwise) {
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error(otherwise)), milliseconds)));
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Asks until it is true, with a pause between; false when it has not become true in this time. */
export async function until(milliseconds, isTrue) {
  const deadline = performance.now() + milliseconds;
  while (!(await isTrue())) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}
