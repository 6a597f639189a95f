/** Work that is done whenever it is asked for, never twice at the same time. */
export interface CoalescedRuns {
  /** Begins; asked while it goes on, it begins once more when that is over. */
  trigger(): void
  /** Resolves when nothing goes on. */
  idle(): Promise<void>
}

/** `work` looks after its own failures: none may come out of it. */
export function coalesceRuns(work: () => Promise<void>): CoalescedRuns {
  let going: Promise<void> | null = null
  let again = false
  async function go() {
    do {
      again = false
      await work()
    } while (again)
    going = null
  }
  return {
    trigger() {
      if (going) again = true
      else going = go()
    },
    async idle() {
      await going
    },
  }
}
