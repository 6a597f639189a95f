import { LtiResourceLinkModel } from '../../../records/lti/resource-link.model.ts'
import { findTitleAndRubric } from '../../assignments/assignment-queries.ts'
import { totalRubricPoints } from '../../assignments/rubric-points.ts'
import type { AgsClient } from './ags-request.ts'
import { findOrCreateLineItem, type LineItemRef } from './line-item.ts'
import { requeueSentScores } from './score-rows.ts'
import type { ScoreTarget } from './score-targets.ts'

/** The line items of one sending run: each is fetched once, as its maximum may have changed since the last run. */
export class LineItemCache {
  readonly #found = new Map<number, Promise<LineItemRef>>()
  readonly #ags: AgsClient

  constructor(ags: AgsClient) {
    this.#ags = ags
  }

  /** @throws {NoLineItemError | AgsRetryableError | AgsAborted} */
  get(target: ScoreTarget): Promise<LineItemRef> {
    const { _id: link } = target.link
    const finding = this.#found.get(link) ?? this.#find(target)
    this.#found.set(link, finding)
    return finding
  }

  /**
   * A replacement for a line item the LMS says is deleted. Concurrent callers share one search.
   * @throws {NoLineItemError | AgsRetryableError | AgsAborted}
   */
  async replace(target: ScoreTarget, deleted: LineItemRef): Promise<LineItemRef> {
    const { _id: link } = target.link
    const finding = this.get(target)
    const known = await finding
    if (known.url !== deleted.url) return known
    if (this.#found.get(link) === finding) this.#found.delete(link)
    return this.get(target)
  }

  async #find(target: ScoreTarget): Promise<LineItemRef> {
    const { link } = target
    const before = link.lineitem_url
    const lineItem = await findOrCreateLineItem(target, await newLineItemFor(target), this.#ags)
    if (lineItem.url === before) return lineItem
    await LtiResourceLinkModel.updateOne({ _id: link._id }, { $set: { lineitem_url: lineItem.url } })
    link.lineitem_url = lineItem.url
    if (before !== null) await requeueSentScores(link._id, this.#ags.clock.now())
    return lineItem
  }
}

async function newLineItemFor({ link }: ScoreTarget) {
  const assignmentId = link.assignment_id ?? 0
  const assignment = await findTitleAndRubric(assignmentId)
  const title = assignment?.title ?? link.title ?? 'Assay'
  return { assignmentId, title, points: totalRubricPoints(assignment?.rubric) }
}
