/** Work that never runs twice at the same time. */
export interface CoalescedRuns {
  /** While it runs, any number of triggers makes it run once more afterwards. */
  trigger(): void
  idle(): Promise<void>
}

/** `work` must not reject. */
export function coalesceRuns(work: () => Promise<void>): CoalescedRuns {
  let running: Promise<void> | null = null
  let again = false
  async function go() {
    do {
      again = false
      await work()
    } while (again)
    running = null
  }
  return {
    trigger() {
      if (running) again = true
      else running = go()
    },
    async idle() {
      await running
    },
  }
}
