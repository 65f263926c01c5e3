export const FORM = 'application/x-www-form-urlencoded';
export const MULTIPART = 'multipart/form-data';
