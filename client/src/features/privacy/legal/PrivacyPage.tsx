import { LegalText } from './LegalText.tsx'

export function PrivacyPage() {
  return (
    <LegalText title="Privacy">
      <p>
        The operator of this installation, usually your school, is responsible for the data stored here. Contact them
        first.
      </p>
      <h2>What is stored</h2>
      <ul>
        <li>
          Your account: username, email address and whether you have confirmed it, name, institution, email preferences,
          and your password as a hash only.
        </li>
        <li>
          If you come from a learning platform (LMS): the ID, name and email address it gives us for you, your courses
          there and your role in them, and what was sent to its gradebook.
        </li>
        <li>
          Your courses, and the papers uploaded to them, with the text read from them. If a paper came as photos, the
          photos too, without the place, time and camera.
        </li>
        <li>Suggested grades, their evidence, and what a teacher decided.</li>
        <li>Who changed a grade, a role, a course’s members or a setting, and when.</li>
      </ul>
      <h2>How long</h2>
      <p>
        A submission and everything derived from it are deleted when your teacher deletes it or its assignment, or when
        nothing has happened in the assignment for as long as your school or course keeps student work. Photos that are
        not handed in are deleted 14 days after you last changed them. Sessions are deleted when you sign out or after
        twelve hours; links sent by email when you use them, or after an hour (new password), seven days (confirming an
        address) or 60 days (invitation). An account is kept until you or an administrator delete it. The audit log is
        kept.
      </p>
      <h2>Your copy, and deletion</h2>
      <p>
        In your profile you can download what Assay stores about you and may show you, with your papers and released
        grades. Ask your school for what your teachers have not released.
      </p>
      <p>
        You can delete your account there, too. If a learning platform created it, ask your school or an administrator.
        Your name, address and password, your papers with everything read from them, feedback, regrade requests and
        course memberships are deleted. Your school keeps the scores that were released to you, under a placeholder such
        as “Deleted student 4f2a”, and the audit log’s record of what was done and when, with the words removed. A
        learning platform keeps what is in its gradebook, and backups keep what they have until they are replaced.
      </p>
      <h2>Email</h2>
      <p>
        We email you links you request, invitations from your teachers, and the notifications about your courses and
        grades that you choose in your profile. Notifications go only to confirmed addresses, never to someone else’s.
        Email is sent through the operator’s mail server only, without tracking.
      </p>
      <h2>Who sees it</h2>
      <p>
        A student’s work is visible to that student, to the teachers of the course, and to administrators, whose access
        to a course is recorded. Teachers can hide names while they grade. Students never see other students’ work, or a
        grade before it is released. If a course belongs to a learning platform, released scores and their comments go
        to its gradebook.
      </p>
      <h2>The AI</h2>
      <p>
        By default, papers are read and graded by a program that is part of Assay and runs on this server, and never
        leave it. An administrator or the teacher of a course can use another company’s AI model instead. Then the
        questions, the expected answers and the students’ answers go to that company, with names, email addresses and
        student numbers masked, and images of handwritten pages with names covered where found. The teacher’s blank
        assignment and answer key are sent unmasked. Your teacher can say which model it is.
      </p>
      <h2>In your browser</h2>
      <p>
        Assay stores your sign-in in the browser until you sign out or twelve hours have passed. A cookie remembers for
        180 days that you have signed in here, so that you still can while somebody else guesses passwords; it signs
        nobody in. When opened from your school’s learning platform, it stores your sign-in only while the page is open,
        and sets the cookies needed to open and reload it there. There is no advertising, no tracking, and nothing is
        loaded from other sites.
      </p>
    </LegalText>
  )
}
