export interface PageOrder {
  /** Of each of the blank's pages, from 1: `[4, 3, 2, 1]`. */
  places: number[]
  /** One page follows another as in the blank, from another one on: a long stack differs only at its ends. */
  rotation: boolean
}

/** The orders in which the pages of every paper lie when a stack was put into a copier in some way. The first is that of the blank. */
export function pageOrders(blankPages: number): PageOrder[] {
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
  return [...distinct.values()].map((order) => ({
    places: pages.map((page) => order.indexOf(page) + 1),
    rotation: order.every((page, i) => (order[i + 1] ?? order[0]) === (page % blankPages) + 1),
  }))
}
