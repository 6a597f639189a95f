/** Older changes are forgotten: screens ask for their data a moment before they watch. */
const REMEMBERED_MS = 60_000

export class LastChanges {
  #startedAt = performance.now()
  /** The latest last. */
  readonly #changedAt = new Map<number, number>()

  note(assignmentId: number): void {
    const now = performance.now()
    this.#changedAt.delete(assignmentId)
    this.#changedAt.set(assignmentId, now)
    for (const [id, at] of this.#changedAt) {
      if (now - at < REMEMBERED_MS) break
      this.#changedAt.delete(id)
    }
  }

  /** Changes may have been missed until now. */
  forget(): void {
    this.#startedAt = performance.now()
    this.#changedAt.clear()
  }

  /** At least so many ms; a minute at most. */
  unchangedMs(assignmentId: number): number {
    const since = this.#changedAt.get(assignmentId) ?? this.#startedAt
    return Math.min(performance.now() - since, REMEMBERED_MS)
  }
}
