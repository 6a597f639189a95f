/** A paper or a release: of its student, and of the others in their group. */
export interface Owned {
  student_id: number | null
  partner_ids?: number[]
}

/** None of a paper without a student. */
export const peopleOf = ({ student_id, partner_ids = [] }: Owned): number[] =>
  student_id === null ? [] : [student_id, ...partner_ids]

/** Once as the paper of each; one without a student stays as it is. */
export const perPerson = <T extends Owned>(papers: T[]): T[] =>
  papers.flatMap((paper) => {
    const people = peopleOf(paper)
    if (people.length < 2) return [paper]
    return people.map((id) => ({ ...paper, student_id: id, partner_ids: people.filter((other) => other !== id) }))
  })

type Whose = { student_id: { $in: number[] } } | { partner_ids: { $in: number[] } }

/** Those of any of them. Two queries, as an index answers each, and none an `$or` of both. */
export async function findOwned<T extends { _id: number }>(ids: number[], find: (whose: Whose) => Promise<T[]>) {
  const found = await Promise.all([find({ student_id: { $in: ids } }), find({ partner_ids: { $in: ids } })])
  return [...new Map(found.flat().map((one) => [one._id, one])).values()]
}
