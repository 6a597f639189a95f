/** Lower triangular L with L·Lᵀ = the matrix (n × n, symmetric, positive definite). */
export function cholesky(matrix: Float64Array[]): Float64Array[] {
  const lower = matrix.map((row) => new Float64Array(row.length))
  for (const [i, row] of matrix.entries()) {
    const own = lower[i] ?? new Float64Array()
    for (let j = 0; j <= i; j++) {
      const other = lower[j] ?? own
      let sum = row[j] ?? 0
      for (let k = 0; k < j; k++) sum -= (own[k] ?? 0) * (other[k] ?? 0)
      own[j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / (other[j] ?? 1)
    }
  }
  return lower
}

/** x with L·Lᵀ·x = right (length n). */
export function solve(lower: Float64Array[], right: Float64Array): Float64Array {
  const x = Float64Array.from(right)
  for (const [i, row] of lower.entries()) {
    for (let k = 0; k < i; k++) x[i] = (x[i] ?? 0) - (row[k] ?? 0) * (x[k] ?? 0)
    x[i] = (x[i] ?? 0) / (row[i] ?? 1)
  }
  for (let i = lower.length - 1; i >= 0; i--) {
    for (let k = i + 1; k < lower.length; k++) x[i] = (x[i] ?? 0) - (lower[k]?.[i] ?? 0) * (x[k] ?? 0)
    x[i] = (x[i] ?? 0) / (lower[i]?.[i] ?? 1)
  }
  return x
}
