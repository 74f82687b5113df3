/** Exactly the words of Appendix A, 4.3.2.3. Drivers sign them in English, whatever their language. */
export const CERTIFICATION =
  'I hereby certify that my data entries and my record of duty status for this 24-hour period are true and correct.';
