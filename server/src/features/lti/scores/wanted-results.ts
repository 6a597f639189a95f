import { parseJson } from '@assay/shared/rules/parse-json.ts'
import { z } from 'zod'
import { createYielder } from '../../../lib/yielder.ts'
import { hasTooManyValues, MAX_ENTRIES } from '../platform-client/list-limits.ts'
import { type CurrentResult, MAX_COMMENT } from './score-values.ts'

/** Of all pages: as many people as a roster may have. */
const MAX_ROWS = 100_000
const MAX_MEGABYTES = 64
/** One cut here is longer than any that we sent, and so none of ours: an LMS may show a line break as two characters. */
const MAX_KEPT_COMMENT = 2 * MAX_COMMENT

/** A list of results that is none, or longer than an honest one. The message goes on after the LMS's name. */
export class ResultsError extends Error {
  override name = 'ResultsError'
}

const UserId = z.union([z.string(), z.number()]).transform(String)
const Row = z.object({ userId: UserId })
const number = z.coerce.number().nullish().catch(null)
const Result = z.object({
  userId: UserId,
  resultScore: number,
  resultMaximum: number,
  comment: z.string().nullish().catch(null),
  timestamp: z.iso.datetime({ offset: true }).nullish().catch(null),
})
const Rows = z.custom<unknown[]>(Array.isArray)

/** Of the pages of a line item's results, those of the students asked about. */
export class WantedResults {
  readonly bySub = new Map<string, CurrentResult>()
  /** The LMS shows a score, whoever has it. */
  showsAny = false
  readonly #wanted: ReadonlySet<string>
  #rows = 0
  #bytes = 0

  constructor(subs: string[]) {
    this.#wanted = new Set(subs)
  }

  /**
   * Lets others have their turn between the rows.
   * @returns how many there are
   * @throws {ResultsError}
   */
  async addPage(json: string): Promise<number> {
    this.#bytes += Buffer.byteLength(json)
    if (this.#bytes > MAX_MEGABYTES * 1024 * 1024)
      throw new ResultsError(`listed more than ${MAX_MEGABYTES} MB of results.`)
    const tooLong = new ResultsError(`listed more than ${MAX_ENTRIES.toLocaleString('en')} results on one page.`)
    if (hasTooManyValues(json)) throw tooLong
    const { data: rows } = Rows.safeParse(parseJson(json))
    if (!rows) throw new ResultsError('did not return a list of results.')
    if (rows.length > MAX_ENTRIES) throw tooLong
    this.#rows += rows.length
    if (this.#rows > MAX_ROWS) throw new ResultsError(`listed more than ${MAX_ROWS.toLocaleString('en')} results.`)
    const yieldTurn = createYielder()
    for (const row of rows) {
      await yieldTurn()
      this.#add(row)
    }
    return rows.length
  }

  #add(row: unknown): void {
    const sub = Row.safeParse(row).data?.userId
    const wanted = sub !== undefined && this.#wanted.has(sub)
    // Of others only whether there is any score.
    if (sub === undefined || (!wanted && this.showsAny)) return
    const result = Result.safeParse(row).data
    if (!result) return
    const { resultScore, resultMaximum, comment, timestamp } = result
    const points = resultScore ?? null
    if (points !== null) this.showsAny = true
    if (!wanted) return
    this.bySub.set(sub, {
      points,
      maximum: points === null ? null : (resultMaximum ?? 1),
      share: points === null ? null : points / (resultMaximum || 1),
      comment: comment?.slice(0, MAX_KEPT_COMMENT) ?? null,
      at: timestamp ? new Date(timestamp) : null,
    })
  }
}
