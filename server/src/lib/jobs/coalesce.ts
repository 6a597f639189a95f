/** Work that runs when triggered, never twice at the same time. */
export interface CoalescedRuns {
  /** Starts it; while it is running, any number of triggers makes it run once more afterwards. */
  trigger(): void
  /** Resolves when it is not running. */
  idle(): Promise<void>
}

/** `work` handles its own errors and must not reject. */
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
