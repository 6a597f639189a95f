export function cellsAround(at: number, { width, height }: { width: number; height: number }, reach = 1): number[] {
  const [x, y] = [at % width, Math.floor(at / width)]
  const cells: number[] = []
  for (let row = Math.max(0, y - reach); row <= Math.min(height - 1, y + reach); row += 1)
    for (let column = Math.max(0, x - reach); column <= Math.min(width - 1, x + reach); column += 1)
      cells.push(row * width + column)
  return cells
}
