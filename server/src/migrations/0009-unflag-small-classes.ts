import type { mongo } from 'mongoose'

/** A small class is no longer a reason for flags. */
export async function unflagSmallClasses(db: mongo.Db): Promise<void> {
  const submissions = db.collection<{ grade: { review_reasons: { code: string }[] } }>('submissions')
  for await (const { _id, grade } of submissions.find({ 'grade.review_reasons.code': 'small_class' })) {
    const review_reasons = grade.review_reasons.filter(({ code }) => code !== 'small_class')
    const unflagged = review_reasons.length === 0 ? { 'grade.needs_review': false } : {}
    await submissions.updateOne({ _id }, { $set: { 'grade.review_reasons': review_reasons, ...unflagged } })
  }
}
