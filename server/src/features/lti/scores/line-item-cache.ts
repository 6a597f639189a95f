import { AssignmentModel } from '../../../records/assignments/assignment.model.ts'
import { LtiResourceLinkModel } from '../../../records/lti/resource-link.model.ts'
import { totalRubricPoints } from '../../assignments/rubric-points.ts'
import type { AgsClient } from './ags-request.ts'
import { findOrCreateLineItem, type LineItemRef } from './line-item.ts'
import { requeueSentScores } from './score-rows.ts'
import type { ScoreTarget } from './score-targets.ts'

/** The columns of one turn of sending: each is asked for once, as its maximum may have changed since the last. */
export class LineItemCache {
  readonly #found = new Map<number, Promise<LineItemRef>>()
  readonly #ags: AgsClient

  constructor(ags: AgsClient) {
    this.#ags = ags
  }

  /** @throws {NoLineItemError | TryLater | Stopped} */
  get(target: ScoreTarget): Promise<LineItemRef> {
    const { _id: link } = target.link
    const finding = this.#found.get(link) ?? this.#find(target)
    this.#found.set(link, finding)
    return finding
  }

  /**
   * Another one in place of a column the LMS says is gone; the same where it is there after all. Once for all who find it gone.
   * @throws {NoLineItemError | TryLater | Stopped}
   */
  async replace(target: ScoreTarget, gone: LineItemRef): Promise<LineItemRef> {
    const { _id: link } = target.link
    const finding = this.get(target)
    const known = await finding
    if (known.url !== gone.url) return known
    if (this.#found.get(link) === finding) this.#found.delete(link)
    return this.get(target)
  }

  async #find(target: ScoreTarget): Promise<LineItemRef> {
    const { link } = target
    const before = link.lineitem_url
    const column = await findOrCreateLineItem(target, await newLineItemFor(target), this.#ags)
    if (column.url === before) return column
    await LtiResourceLinkModel.updateOne({ _id: link._id }, { $set: { lineitem_url: column.url } })
    link.lineitem_url = column.url
    if (before !== null) await requeueSentScores(link._id, this.#ags.clock.now())
    return column
  }
}

async function newLineItemFor({ link }: ScoreTarget) {
  const assignmentId = link.assignment_id ?? 0
  const assignment = await AssignmentModel.findById(assignmentId, { title: 1, rubric: 1 }).lean()
  const title = assignment?.title ?? link.title ?? 'Assay'
  return { assignmentId, title, points: totalRubricPoints(assignment?.rubric) }
}
