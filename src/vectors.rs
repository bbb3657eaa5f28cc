//! The widest vector instructions that the processor has, for loops that the compiler can turn into them.

/// A function that is `body`, which must be `#[inline(always)]`, compiled for AVX2 where the processor has that, and as everything else
/// is where it has not; the result is the same.
macro_rules! vectorised {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident: $type:ty),* $(,)?) $(-> $out:ty)? = $body:path) => {
        $(#[$meta])*
        #[inline(always)]
        $vis fn $name($($arg: $type),*) $(-> $out)? {
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            if std::arch::is_x86_feature_detected!("avx2") {
                #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
                fn compiled($($arg: $type),*) $(-> $out)? {
                    $body($($arg),*)
                }
                // SAFETY: the processor has been asked for AVX2; every one that has it has the others.
                return unsafe { compiled($($arg),*) };
            }
            $body($($arg),*)
        }
    };
}

pub(crate) use vectorised;
