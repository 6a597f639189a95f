import type { DrawnStudent } from './drawn-assignment.ts'

export const demoStudents = [
  student('mjohansson', 'Maja Johansson', '20260101'),
  student('dokafor', 'Daniel Okafor', '20260102'),
  student('lchen', 'Lucy Chen', '20260103'),
  student('tbaker', 'Tom Baker', '20260104'),
  student('sahmadi', 'Sara Ahmadi', '20260105'),
  student('rpatel', 'Rohan Patel', '20260106'),
  student('egarcia', 'Elena Garcia', '20260107'),
  student('jkowalski', 'Jakub Kowalski', '20260108'),
  student('aosei', 'Abena Osei', '20260109'),
  student('nmurphy', 'Niamh Murphy', '20260110'),
  student('hsato', 'Hana Sato', '20260111'),
  student('psilva', 'Pedro Silva', '20260112'),
  student('cdubois', 'Claire Dubois', '20260113'),
  student('wjones', 'Will Jones', '20260114'),
] as const satisfies readonly DrawnStudent[]

function student<U extends string>(username: U, full_name: string, student_number: string) {
  return { username, full_name, student_number, email: `${username}@demo.example` }
}
