export { verifyFile } from '@milepost/eld';
