const letterThresholds: [from: number, letter: string][] = [
  [97, 'A+'],
  [93, 'A'],
  [90, 'A-'],
  [87, 'B+'],
  [83, 'B'],
  [80, 'B-'],
  [77, 'C+'],
  [73, 'C'],
  [70, 'C-'],
  [67, 'D+'],
  [65, 'D'],
]

/** As it is shown: with one decimal. Letters and bands go by what is read beside them. */
const shown = (percent: number): number => Math.round(percent * 10) / 10

export function letterGrade(percent: number | null | undefined): string {
  if (percent === null || percent === undefined) return 'N/A'
  return letterThresholds.find(([from]) => shown(percent) >= from)?.[1] ?? 'F'
}

export type GradeBand = 'excellent' | 'good' | 'satisfactory' | 'needsWork' | 'incomplete'

export function gradeBand(percent: number | null | undefined): GradeBand {
  if (percent === null || percent === undefined) return 'incomplete'
  if (shown(percent) >= 90) return 'excellent'
  if (shown(percent) >= 80) return 'good'
  if (shown(percent) >= 70) return 'satisfactory'
  return 'needsWork'
}

/** What a student reads beside their average, in percent. */
export function performanceMessage(percent: number | null | undefined): string {
  if (percent === null || percent === undefined) return 'Complete assignments to see your performance'
  if (shown(percent) >= 90) return 'Excellent work! Keep it up!'
  if (shown(percent) >= 80) return 'Great performance!'
  if (shown(percent) >= 70) return 'Good work! Room for improvement'
  return 'Consider reaching out for additional support'
}
