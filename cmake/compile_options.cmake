# Warnings and floating-point rules shared by every target, and the shared precompiled header.

# ccache caches nothing that uses a precompiled header unless it may trust that header: also where the
# user's launcher is ccache itself.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND PROJECT_IS_TOP_LEVEL
   AND (NOT CMAKE_CXX_COMPILER_LAUNCHER OR CMAKE_CXX_COMPILER_LAUNCHER MATCHES "(^|/)ccache$"))
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
        CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
endif()

function(pawl_compile_options target)
    # No contraction to fused multiply-add: results must not depend on the processor.
    target_compile_options(${target} PRIVATE -Wall -Wextra -ffp-contract=off)
    if(PAWL_WERROR)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
        # GCC 12 sees overlaps and overruns inside std::string that are not there (GCC bug
        # 105329); the sanitize preset looks for the real ones.
        target_compile_options(${target} PRIVATE
            -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
        # The compiler collects its garbage less often: an eighth of its time for a quarter more memory.
        target_compile_options(${target} PRIVATE
            --param=ggc-min-expand=400 --param=ggc-min-heapsize=400000)
        if(PAWL_PCH AND CCACHE_PROGRAM)
            target_compile_options(${target} PRIVATE -fpch-preprocess)
        endif()
    endif()
endfunction()

# Code that may become part of a shared library, as the Python module is. Hidden symbols keep it as fast
# as other code: calls inside need no table, and may be inlined.
function(pawl_position_independent target)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON
        CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()

function(pawl_reuse_precompiled_header target)
    if(PAWL_PCH)
        # The flags of the header: of a program the property would make others.
        target_compile_options(${target} PRIVATE -fPIC -fvisibility=hidden -fvisibility-inlines-hidden)
        target_precompile_headers(${target} REUSE_FROM pawl)
    endif()
endfunction()
