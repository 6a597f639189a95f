import { roundPercent } from './points.ts'

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

export function letterGrade(percent: number | null | undefined): string {
  if (percent === null || percent === undefined) return 'N/A'
  return letterThresholds.find(([from]) => roundPercent(percent) >= from)?.[1] ?? 'F'
}

export type GradeBand = 'excellent' | 'good' | 'satisfactory' | 'needsWork' | 'incomplete'

export function gradeBand(percent: number | null | undefined): GradeBand {
  if (percent === null || percent === undefined) return 'incomplete'
  if (roundPercent(percent) >= 90) return 'excellent'
  if (roundPercent(percent) >= 80) return 'good'
  if (roundPercent(percent) >= 70) return 'satisfactory'
  return 'needsWork'
}

export function performanceMessage(percent: number | null | undefined): string {
  if (percent === null || percent === undefined) return 'Complete assignments to see your performance'
  if (roundPercent(percent) >= 90) return 'Excellent work! Keep it up!'
  if (roundPercent(percent) >= 80) return 'Great performance!'
  if (roundPercent(percent) >= 70) return 'Good work! Room for improvement'
  return 'Consider reaching out for additional support'
}
