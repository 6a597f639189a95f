import { AssignmentModel } from '../../assignments/assignment.model.ts'
import { rubricPoints } from '../../assignments/rubric-points.ts'
import { LtiLinkModel } from '../launches/link.model.ts'
import type { Ags } from './ags.ts'
import { type Column, findColumn } from './line-item.ts'
import { sendAllAnew } from './score-rows.ts'
import type { Target } from './targets.ts'

/** The columns of one turn of sending: each is asked for once, as its maximum may have changed since the last. */
export class Columns {
  readonly #found = new Map<number, Promise<Column>>()
  readonly #ags: Ags

  constructor(ags: Ags) {
    this.#ags = ags
  }

  /** @throws {NoColumn | TryLater | Stopped} */
  of(target: Target): Promise<Column> {
    const { _id: link } = target.link
    const finding = this.#found.get(link) ?? this.#find(target)
    this.#found.set(link, finding)
    return finding
  }

  /**
   * Another one in place of a column the LMS says is gone; the same where it is there after all. Once for all who find it gone.
   * @throws {NoColumn | TryLater | Stopped}
   */
  async instead(target: Target, gone: Column): Promise<Column> {
    const { _id: link } = target.link
    const finding = this.of(target)
    const known = await finding
    if (known.url !== gone.url) return known
    if (this.#found.get(link) === finding) this.#found.delete(link)
    return this.of(target)
  }

  async #find(target: Target): Promise<Column> {
    const { link } = target
    const before = link.lineitem_url
    const column = await findColumn(target, await newColumnFor(target), this.#ags)
    if (column.url === before) return column
    await LtiLinkModel.updateOne({ _id: link._id }, { $set: { lineitem_url: column.url } })
    link.lineitem_url = column.url
    if (before !== null) await sendAllAnew(link._id, this.#ags.clock.now())
    return column
  }
}

async function newColumnFor({ link }: Target) {
  const assignmentId = link.assignment_id ?? 0
  const assignment = await AssignmentModel.findById(assignmentId, { title: 1, rubric: 1 }).lean()
  const title = assignment?.title ?? link.title ?? 'Assay'
  return { assignmentId, title, points: rubricPoints(assignment?.rubric) }
}
