/**
 * The orders a copier leaves the pages of every paper in, when a stack was laid in the wrong way round.
 * @returns for each order the place of each of the blank's pages in it: `[4, 3, 2, 1]`. The first is that of the blank.
 */
export function pageOrders(blankPages: number): number[][] {
  const pages = Array.from({ length: blankPages }, (_, i) => i + 1)
  const sheets = Array.from({ length: Math.ceil(blankPages / 2) }, (_, i) => pages.slice(2 * i, 2 * i + 2))
  const orders = [
    pages,
    pages.toReversed(),
    // Sheets printed on both sides: each with its back first, or the last sheet first.
    sheets.flatMap((sheet) => sheet.toReversed()),
    sheets.toReversed().flat(),
    // The first page under the others, or the last above them.
    [...pages.slice(1), 1],
    [blankPages, ...pages.slice(0, -1)],
  ]
  const distinct = new Map(orders.map((order) => [order.join(), order]))
  return [...distinct.values()].map((order) => pages.map((page) => order.indexOf(page) + 1))
}
