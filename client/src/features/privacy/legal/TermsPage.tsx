import { LegalText } from './LegalText.tsx'

export function TermsPage() {
  return (
    <LegalText title="Terms">
      <p>
        This copy of Assay is run by your school, or by the people who gave you its address. They decide who may use it
        and for what, and their rules take precedence.
      </p>
      <h2>What Assay is for</h2>
      <p>
        Assay suggests grades for written work and shows the evidence for each suggestion. A suggestion is not a
        decision: a teacher reviews it, may override it, and is responsible for the released grade.
      </p>
      <h2>Your responsibilities</h2>
      <ul>
        <li>Keep your password to yourself, and sign out on shared computers.</li>
        <li>Register with your own email address. Its owner can take the account over at any time.</li>
        <li>Upload only your own work or that of students in your course.</li>
        <li>Do not try to access other people’s work or disrupt the service.</li>
      </ul>
      <h2>If you disagree with a grade</h2>
      <p>Request a regrade next to the grade. The teacher of your course can change any grade and explain why.</p>
      <h2>No warranty</h2>
      <p>The software is provided as is under the MIT license, without warranty. Keep the originals of your papers.</p>
    </LegalText>
  )
}
